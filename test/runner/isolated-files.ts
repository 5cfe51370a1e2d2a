/** Test files that need a process of their own, with the reason. All others share the processes of the runner. */
export const ISOLATED_FILES: ReadonlyMap<string, string> = new Map([])
