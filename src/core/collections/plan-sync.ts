/** The changes to the items of a collection; both lists are empty if it is up to date. */
export type SyncPlan = {
  /** Appended in this order. */
  added: string[]
  removed: string[]
}

/** Compares the present with the wanted items of a collection. Items in both are not touched, so that the order of the curator stays. */
export function planItemSync({ present, wanted }: { present: readonly string[]; wanted: readonly string[] }): SyncPlan {
  const [isPresent, isWanted] = [new Set(present), new Set(wanted)]
  return {
    added: [...isWanted].filter((id) => !isPresent.has(id)),
    removed: present.filter((id) => !isWanted.has(id)),
  }
}
