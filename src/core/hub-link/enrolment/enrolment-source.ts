/** How this server is known to its hub. */
export type Enrolment = {
  /** Without a trailing slash. */
  hubBaseUrl: string
  serverId: string
  /** Renewed before it ends: read it again for each connection. */
  enrolmentJwt: string
  /** The port of the hub for tunnels; null if the hub has not named it. */
  tunnelPort: number | null
}

/** The pairing of this server, as it is now. */
export type EnrolmentSource = {
  /** Undefined while the server is not paired. */
  current(): Enrolment | undefined
  /** Reads the file again and calls the listeners if it has changed; otherwise that happens within two seconds. */
  check(): void
  /**
   * Calls the listener after a pairing, a renewal of the token, a change of the port for tunnels and the end of the pairing.
   * @returns ends the calls
   */
  onChange(listener: (enrolment: Enrolment | undefined) => void): () => void
}
