"""Plugin folders, as data: Agent Plugins and Claude Code in one, the Gemini extension, the MCP bundle, and their skill."""
