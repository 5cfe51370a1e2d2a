import type { ChildProcess } from 'node:child_process'
import { systemErrorCode } from '../errors/index.ts'
import { toolOutcome, PIPE_GRACE_MILLISECONDS, signalProcessGroup } from './tool-command.ts'

export type ToolExit = {
  outcome: 'exited' | 'not_found' | 'not_isolated'
  exitCode: number | null
  signal: string | null
  stderrTail: string
}

/**
 * How a tool with pipes ends. Does not wait for a grandchild that keeps the pipes open: after the tool's exit it is killed, or loses its
 * readers. Never rejects.
 * @param options.closeOutputs called a second after the exit
 */
export function waitForToolExit(
  child: ChildProcess,
  { stderrTail, closeOutputs }: { stderrTail: () => string; closeOutputs: () => void },
): Promise<ToolExit> {
  return new Promise((resolve) => {
    const end = (outcome: ToolExit['outcome'], exitCode: number | null, signal: string | null): void =>
      resolve({ outcome, exitCode, signal, stderrTail: stderrTail() })
    child.once('error', (error) => {
      if (child.pid === undefined) end(systemErrorCode(error) === 'ENOENT' ? 'not_found' : 'exited', null, null)
    })
    const closePipes = (): void => {
      signalProcessGroup(child.pid, 'SIGKILL')
      closeOutputs()
    }
    child.once('exit', () => {
      const timer = setTimeout(closePipes, PIPE_GRACE_MILLISECONDS).unref()
      child.once('close', () => clearTimeout(timer))
    })
    child.once('close', (exitCode, signal) => {
      end(toolOutcome({ exitCode, stderrTail: stderrTail() }), exitCode, signal)
    })
  })
}
