/** What has to be done to what is in a collection; both empty when it is as it should be. */
export type SyncPlan = {
  /** In this order at the end. */
  added: string[]
  removed: string[]
}

/**
 * Compares what is in a collection with what should be (document 2, Collections): what stays is not touched, so that its curator's order
 * stays too.
 */
export function planSync({ present, wanted }: { present: readonly string[]; wanted: readonly string[] }): SyncPlan {
  const [isPresent, isWanted] = [new Set(present), new Set(wanted)]
  return {
    added: [...isWanted].filter((id) => !isPresent.has(id)),
    removed: present.filter((id) => !isWanted.has(id)),
  }
}
