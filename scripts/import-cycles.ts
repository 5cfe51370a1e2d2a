/** Directed graph: every node with the nodes that it imports. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

/** The imports between source files; imports of files that are not in the list are left out. */
export function fileGraph(imports: ReadonlyMap<string, Iterable<string>>): ImportGraph {
  return new Map([...imports].map(([from, targets]) => [from, new Set([...targets].filter((to) => imports.has(to)))]))
}

/**
 * The imports between folders with the same parent folder. An import of `a/b/x.ts` by `a/c/d/y.ts` is one from `a/c` to `a/b`. The files
 * directly in `a` are not part of it.
 */
export function folderGraph(files: ImportGraph): ImportGraph {
  const graph = new Map<string, Set<string>>()
  for (const [from, targets] of files) {
    for (const to of targets) {
      if (from === to) continue
      const [fromFolder, toFolder] = siblingFolders(from, to)
      if (fromFolder === undefined || toFolder === undefined) continue
      const known = graph.get(fromFolder) ?? new Set()
      graph.set(fromFolder, known.add(toFolder))
    }
  }
  return graph
}

/** The folders of two paths directly below the deepest folder that contains both; undefined for a file that is directly in it. */
function siblingFolders(from: string, to: string): [from: string | undefined, to: string | undefined] {
  const [fromParts, toParts] = [from.split('/'), to.split('/')]
  const length = fromParts.findIndex((part, index) => part !== toParts[index]) + 1
  const folderOf = (parts: string[]) => (length < parts.length ? parts.slice(0, length).join('/') : undefined)
  return [folderOf(fromParts), folderOf(toParts)]
}

/**
 * The shortest cycle through each group of nodes that import each other, as `[a, b, a]`. The list is empty exactly for a graph without
 * cycles.
 */
export function findCycles(graph: ImportGraph): string[][] {
  const cycles: string[][] = []
  const reported = new Set<string>()
  for (const start of graph.keys()) {
    if (reported.has(start)) continue
    const cycle = shortestCycle(graph, start)
    if (cycle === undefined) continue
    cycles.push(cycle)
    for (const node of mutuallyReachable(graph, start)) reported.add(node)
  }
  return cycles
}

/** Breadth-first search from a node back to itself. */
function shortestCycle(graph: ImportGraph, start: string): string[] | undefined {
  const previous = new Map<string, string>()
  const queue = [start]
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...pathTo(node, previous), start]
      if (previous.has(next)) continue
      previous.set(next, node)
      queue.push(next)
    }
  }
  return undefined
}

function pathTo(node: string, previous: ReadonlyMap<string, string>): string[] {
  const path = [node]
  for (let before = previous.get(node); before !== undefined; before = previous.get(before)) path.unshift(before)
  return path
}

/** The strongly connected component of a node. */
function mutuallyReachable(graph: ImportGraph, start: string): string[] {
  return [...reachable(graph, start)].filter((node) => reachable(graph, node).has(start))
}

function reachable(graph: ImportGraph, start: string): Set<string> {
  const found = new Set([start])
  for (const node of found) for (const next of graph.get(node) ?? []) found.add(next)
  return found
}
