/** Caches the result of a loader. Every `import()` resolves its module again, which takes longer than reading some files. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return () => (loaded ??= load())
}
