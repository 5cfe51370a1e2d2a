/** The data that a client sends about its device at a sign-in. */
export type DeviceInput = {
  /** An id that the client stores. */
  id?: string | null | undefined
  name?: string | null | undefined
  type?: string | null | undefined
  /** The header `User-Agent`. Name and type are derived from it if they are missing. */
  userAgent?: string | undefined
}

/** The device of a session. */
export type Device = {
  /** The id that the client has sent, else null. */
  id: string | null
  /** At most 100 characters, without control characters; never empty. */
  name: string
  /** `browser`, `phone`, `tablet`, `tv`, `app`, or the word that the client has sent; at most 50 characters. */
  type: string
}
