export {
  readProcessLock,
  removeDeadLock,
  acquireProcessLock,
  type LockHolder,
  type ProcessLock,
} from './process-lock.ts'
export { withDeathSignal } from './death-signal.ts'
export { findProgram } from './find-program.ts'
export { createIsolation, type Isolation, type IsolationLimits } from './isolation.ts'
export { killOrphans, killProcessesUsingDirectory } from './kill-processes.ts'
export { isInstanceAlive, processInstanceId } from './process-instance-id.ts'
export { replaceProcess, replacementProblem } from './replace-process.ts'
export { prepareToRunTools, runTool, type ToolResult, type ToolRun } from './run-tool.ts'
export { startPipedTool, type PipedTool } from './start-piped-tool.ts'
export { startTool, type RunningTool } from './start-tool.ts'
export type { ToolExit } from './tool-exit.ts'
export { startProgram, type ProgramExit, type RunAccount, type RunningProgram } from './start-program.ts'
export { startConnectedProgram, type ConnectedProgram } from './start-connected-program.ts'
export { readResidentMemory } from './resident-memory.ts'
