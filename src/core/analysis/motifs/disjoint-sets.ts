/** Sets of numbers that can be united (union-find). */
export type DisjointSets = {
  /** Returns the representative of the set that contains the element. */
  find(element: number): number
  unite(one: number, other: number): void
}

/** Each of the numbers from 0 to `size - 1` is in a set of its own at first. */
export function createDisjointSets(size: number): DisjointSets {
  const parents = Array.from({ length: size }, (_, index) => index)
  const find = (element: number): number => {
    let root = element
    while (parents[root] !== root) root = parents[root] ?? root
    parents[element] = root
    return root
  }
  return { find, unite: (one, other) => void (parents[find(one)] = find(other)) }
}
