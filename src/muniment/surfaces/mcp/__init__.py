"""The tool server: memory for agents over the Model Context Protocol, by stdio or by HTTP on this machine."""
