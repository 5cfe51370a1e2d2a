/** Adds a slash to a root, so that `/films-old/x` is not inside `/films`. */
export function addTrailingSlash(root: string): string {
  return root.endsWith('/') ? root : `${root}/`
}

/** Whether `path` is `folder` or below it; both are normalised. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(addTrailingSlash(folder))
}
