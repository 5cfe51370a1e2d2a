/** In place of the class of the package `async-hook-domain`; error-domains.ts says why. It never calls its handler. */
export class Domain {
  destroy(): void {}
}
