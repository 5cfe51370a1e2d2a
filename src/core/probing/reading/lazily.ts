/** What loads once, when it is first needed. Every `import()` looks its module up again, which takes longer than reading some files. */
export function lazily<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return () => (loaded ??= load())
}
