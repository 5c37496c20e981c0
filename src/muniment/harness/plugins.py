"""An extension of ours for a harness that has no hooks: a few lines, which ask the hook and pass on what it says."""

from __future__ import annotations

import json
from collections.abc import Sequence

HEAD = "// muniment: written by `muniment init`; `muniment init --undo` takes it away\n"

_ASK = """import { spawn } from "node:child_process"

const HOOK = $HOOK

/** What our hook says at this moment; nothing if it is slow or not there: it never stands in the way. */
const ask = (moment: any, event: any): Promise<string> =>
  new Promise((done) => {
    let told = ""
    try {
      const child = spawn(HOOK[0], [...HOOK.slice(1), moment], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      const end = (text: any) => { clearTimeout(timer); done(text) }
      const timer = setTimeout(() => { child.kill(); end("") }, 2000)
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (part: any) => { told += part })
      child.on("error", () => end(""))
      child.on("close", () => end(told))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(event))
    } catch {
      done("")
    }
  })
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


def pi(hook: Sequence[str]) -> str:
    """The extension for Pi: what is remembered comes as a message before the first prompt, and after a compaction."""
    asking = _ASK.replace("$HOOK", json.dumps(list(hook), ensure_ascii=False))
    return HEAD + asking + _PI
