import {
  createFindSessionAccount,
  createSignInProviders,
  type FindSessionAccount,
  type SignInProviders,
  readApproval,
} from './accounts/index.ts'
import { createKeyAccounts, type KeyAccounts } from './api-keys/index.ts'
import { checkSignInOptions } from './check-sign-in-options.ts'
import { createPasswordHashing, type PasswordHashing } from './platform/credentials/index.ts'
import { createArtworkAddressCache, type ArtworkAddressCache } from './artwork/index.ts'
import {
  createCatalogueCache,
  createOpenMediaFile,
  type CatalogueCache,
  type OpenMediaFile,
} from './catalogue/index.ts'
import { closeOnce, createCoreServices, type CoreServices, type ServicesInput } from './core-services.ts'
import { createHubLink, type HubLink } from './hub-link/index.ts'
import { loggedClose } from './logged-close.ts'
import { createGuests, type Guests } from './shares/index.ts'
import { createOidcProvider, type OidcProvider } from './oidc/index.ts'
import { createLdapProvider, LDAP_PROVIDER } from './ldap/index.ts'
import { createRelayLink, type RelayLink } from './relay-link/index.ts'
import { createPortForwarding, type PortForwarding } from './network/index.ts'
import { createMediaServices, type MediaServices } from './media-services.ts'
import { createPlayers, type Players } from './remote-control/index.ts'
import { createWatchGroups, type WatchGroups } from './watch-together/index.ts'
import { lockEnabledPlugin } from './plugins/index.ts'
import { createAddressGrants, type AddressGrants } from './address-grants.ts'
import { createUrlSigner, loadSigningSecret, type UrlSigner } from './platform/keys/index.ts'
import { SHARED_SERVICES } from './shared-services.ts'
import type { SegmentServer } from './streaming/index.ts'
import { createStreamSlots, type StreamSlots } from './playback-limits/index.ts'
import { createLimitedViewerServices, type LimitedViewerServices } from './limited-viewer-services.ts'

/** The dependencies of all use cases. `close` closes the media services, then the core services. */
export type Services = CoreServices & MediaServices

/** The services of the daemon, without those of limited accounts. */
type WholeServices = Services &
  Readonly<{
    jwtSecret: Buffer
    signer: UrlSigner
    /** For whom signed addresses of media are valid. */
    addressGrants: AddressGrants
    /** The places of streams of limited accounts and profiles. */
    streamSlots: StreamSlots
    /** Results of queries and items, which are valid until the catalogue changes. */
    catalogueCache: CatalogueCache
    /** The pictures of items and their signed addresses. */
    artworkCache: ArtworkAddressCache
    openMediaFile: OpenMediaFile
    findSessionAccount: FindSessionAccount
    /** The accounts of API keys. */
    keyAccounts: KeyAccounts
    /** The cost of new hashes, and the queue of everything that hashes passwords. */
    passwordHashing: PasswordHashing
    /** The port that the router forwards to this server. Nothing happens before it is started. */
    portForwarding: PortForwarding
    /** The connection to the hub of this server. Nothing is sent before it is started. */
    hubLink: HubLink
    /** The tunnel to the hub. Nothing is connected before it is started. */
    relayLink: RelayLink
    /** The plugins that check names and passwords. */
    signInProviders: SignInProviders
    /** The OpenID provider; undefined if none is configured. */
    oidc: OidcProvider | undefined
    /** Groups that watch together. */
    watchGroups: WatchGroups
    /** Connected devices that can be controlled. */
    players: Players
    /** Opens a segment of a transcode job, which is made if it is missing. */
    openSegment: SegmentServer['open']
  }>

/** The services of the daemon. Only the daemon creates and verifies tokens and addresses, so that commands need no secret. */
export type SigningServices = WholeServices &
  Readonly<{
    /** The services of accounts that see only a part of the server. */
    viewers: LimitedViewerServices<WholeServices>
    /** People without an account who have opened a share link. */
    guests: Guests
  }>

/**
 * Opens all services of a process in the order of their dependencies.
 * @throws AppError for example `database_unavailable`; services that were already open are closed
 */
export async function createServices(input: ServicesInput): Promise<Services> {
  return addMediaServices(await createCoreServices(input))
}

/**
 * Opens the media services on the core services.
 * @returns all of them with one `close`. After a failure the core services are closed as well
 */
export async function addMediaServices(core: CoreServices): Promise<Services> {
  await using opened = new AsyncDisposableStack()
  opened.defer(core.close)
  const media = await createMediaServices(core)
  opened.defer(media.close)
  return Object.freeze({ ...core, ...media, close: closeOnce(opened) })
}

/**
 * The services of the daemon. The secret and the options of the OpenID provider are read first: without valid ones nothing is opened.
 * @throws AppError `insecure_jwt_secret`, `key_file_damaged`, `invalid_config`, and the errors of `createServices`
 */
export async function createSigningServices(input: ServicesInput): Promise<SigningServices> {
  const jwtSecret = await loadSigningSecret(input)
  checkSignInOptions(input.config)
  const services = await createServices(input)
  const catalogueCache = createCatalogueCache(services)
  const findSessionAccount = createFindSessionAccount(services)
  const passwordHashing = createPasswordHashing()
  const watchGroups = createWatchGroups(services)
  const players = createPlayers(services)
  const closePlayers = loggedClose(services.log, 'players', () => players.close())
  const closeWatchGroups = loggedClose(services.log, 'watch groups', () => watchGroups.close())
  const addressGrants = createAddressGrants(services)
  const directory = createLdapProvider(services)
  const hubLink = createHubLink({ ...services, findSessionAccount, passwordHashing })
  const whole: WholeServices = {
    ...services,
    jwtSecret,
    signer: createUrlSigner({ secret: jwtSecret, clock: services.clock }),
    addressGrants,
    streamSlots: createStreamSlots(services),
    catalogueCache,
    artworkCache: createArtworkAddressCache({ db: services.db, catalogueCache }),
    openMediaFile: createOpenMediaFile(services),
    findSessionAccount,
    keyAccounts: createKeyAccounts(services),
    passwordHashing,
    hubLink,
    relayLink: createRelayLink({ ...services, enrolment: hubLink.enrolment, renewEnrolment: () => hubLink.renew() }),
    portForwarding: createPortForwarding(services),
    signInProviders: createSignInProviders({
      list: () => [
        ...(directory === undefined ? [] : [directory]),
        ...services.plugins.providers('auth-provider').map(({ name, settings, ask }) => ({
          name,
          ask,
          // The value that the administrator has set: a default is the author's.
          mayCreateAccounts: settings['create_accounts'] === true,
          decidesRights: false,
        })),
      ],
      needsApproval: async () => (await readApproval(services)).isNeededForOthers,
      lockEnabled: async (connection, name) =>
        name === LDAP_PROVIDER ? directory !== undefined : lockEnabledPlugin(connection, name),
      secret: jwtSecret,
    }),
    oidc: createOidcProvider(services),
    watchGroups,
    players,
    openSegment: (request, signal) => services.segments.open(request, signal),
    async close() {
      await closeWatchGroups()
      await closePlayers()
      await addressGrants.close()
      await viewers.close()
      await services.close()
    },
  }
  const viewers = createLimitedViewerServices(whole, SHARED_SERVICES)
  const guests = createGuests({
    ...services,
    secret: jwtSecret,
    databaseOf: async (policyId) => (policyId === null ? services.db : (await viewers.servicesOf(policyId)).db),
  })
  return Object.freeze({ ...whole, viewers, guests })
}
