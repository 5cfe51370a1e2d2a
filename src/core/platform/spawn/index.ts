export { isMarkAlive, killProcessesNaming, markChildren, processMark, sweepOrphans } from './run-token.ts'
export { prepareToRunTools, runTool, type ToolResult, type ToolRun } from './run-tool.ts'
export { startTool, type RunningTool, type ToolEnd } from './start-tool.ts'
export { startProgram, type ProgramEnd, type RunAccount, type RunningProgram } from './start-program.ts'
