"""Extensions of ours for harnesses that have no hooks: a few lines each, which ask the hook and pass on what it says."""

from __future__ import annotations

import json
from collections.abc import Sequence

HEAD = "// muniment: written by `muniment init`; `muniment init --undo` takes it away\n"

_ASK = """import { spawn } from "node:child_process"

const HOOK = $HOOK

/** What our hook says at this moment; nothing if it is slow or not there: it never stands in the way. */
const ask = (moment$T1, event$T1)$T2 =>
  new Promise((done) => {
    let told = ""
    try {
      const child = spawn(HOOK[0], [...HOOK.slice(1), moment], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      const end = (text$T1) => { clearTimeout(timer); done(text) }
      const timer = setTimeout(() => { child.kill(); end("") }, 2000)
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (part$T1) => { told += part })
      child.on("error", () => end(""))
      child.on("close", () => end(told))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(event))
    } catch {
      done("")
    }
  })
"""

_OPENCODE = """
export const Muniment = async ({ directory }) => {
  const given = new Map()
  let last = ""
  const event = (session) => ({ session_id: session, cwd: directory })
  return {
    "chat.message": async (input) => {
      last = input?.sessionID ?? last
      if (last && given.has(last)) await ask("prompt", event(last))
    },
    "experimental.chat.system.transform": async (input, output) => {
      const session = input?.sessionID ?? last
      if (!session) return
      if (!given.has(session)) given.set(session, ask("start", event(session)))
      const text = await given.get(session)
      if (text) output.system.push(text)
    },
    "experimental.session.compacting": async (input) => {
      await ask("before-compact", event(input?.sessionID ?? last))
    },
    event: async ({ event: it }) => {
      const session = it?.properties?.sessionID ?? it?.properties?.info?.id
      if (!session) return
      if (it.type === "session.compacted") given.set(session, ask("compact", event(session)))
      if (it.type === "session.idle") await ask("stop", event(session))
      if (it.type === "session.deleted") { given.delete(session); await ask("end", event(session)) }
    },
  }
}
"""

_PI = """
export default function (pi: any) {
  let due = "start"
  const event = (ctx: any) => ({
    session_id: ctx?.sessionManager?.getSessionId?.() ?? "", cwd: ctx?.cwd ?? process.cwd(),
    transcript_path: ctx?.sessionManager?.getSessionFile?.() ?? "",
  })
  pi.on("session_start", async (e: any) => { due = e?.reason === "resume" ? "resume" : "start" })
  pi.on("session_before_compact", async (_: any, ctx: any) => { await ask("before-compact", event(ctx)) })
  pi.on("session_compact", async () => { due = "compact" })
  pi.on("agent_end", async (_: any, ctx: any) => { await ask("stop", event(ctx)) })
  pi.on("session_shutdown", async (_: any, ctx: any) => { await ask("end", event(ctx)) })
  pi.on("before_agent_start", async (_: any, ctx: any) => {
    const moment = due || "prompt"
    due = ""
    const text = await ask(moment, event(ctx))
    if (text) return { message: { customType: "muniment", content: text, display: false } }
  })
}
"""


def opencode(hook: Sequence[str]) -> str:
    """The plugin for OpenCode and what is built on it: what is remembered stands in the system prompt of every request."""
    return HEAD + _asking(hook, typed=False) + _OPENCODE


def pi(hook: Sequence[str]) -> str:
    """The extension for Pi: what is remembered comes as a message before the first prompt, and after a compaction."""
    return HEAD + _asking(hook, typed=True) + _PI


def _asking(hook: Sequence[str], *, typed: bool) -> str:
    text = _ASK.replace("$HOOK", json.dumps(list(hook), ensure_ascii=False))
    return text.replace("$T1", ": any" if typed else "").replace("$T2", ": Promise<string>" if typed else "")
