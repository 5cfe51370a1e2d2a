import { requestJson, followOtherTabs, isSignedIn, register, signIn, SignedOut, signOut } from '../api.js'
import { showRows } from './lists.js'
import { findDirectAddress } from './verify-server.ts'

/** The page of a hub. A code or an invitation is in the fragment of its address, which browsers do not send. */

const element = (id) => document.getElementById(id)
const fragment = new URLSearchParams(location.hash.slice(1))
const PROTOCOL = { 'accept-phlix-protocol': 'v1' }

let invitation = fragment.get('invite')
element('code').value = fragment.get('claim') ?? ''

/** Shows the error of some work, and the sign-in when the session has ended. */
async function attempt(work) {
  element('problem').textContent = ''
  try {
    await work()
  } catch (error) {
    if (error instanceof SignedOut) showSignIn()
    else element('problem').textContent = error.message
  }
}

/** Shows nothing of the last user. */
function showSignIn() {
  for (const id of ['problem', 'servers', 'shares', 'summary', 'all-servers', 'users', 'activity'])
    element(id).replaceChildren()
  element('admin').hidden = true
  element('sign-in').hidden = false
  element('register').hidden = invitation === null
  element('home').hidden = true
  element('sign-out').hidden = true
}

async function showHome() {
  const me = await requestJson('/api/v1/auth/me')
  element('sign-in').hidden = true
  element('register').hidden = true
  element('home').hidden = false
  element('sign-out').hidden = false
  element('invitation').hidden = invitation === null
  await showServers(me)
  element('admin').hidden = !me.is_admin
  if (me.is_admin) await showAdministration()
}

async function showServers(me) {
  const { servers } = await requestJson('/api/v1/me/servers')
  const { shares } = await requestJson('/api/v1/me/shares')
  element('no-servers').hidden = servers.length > 0
  showRows(
    element('servers'),
    servers.map((server) => serverRow(server, me)),
    attempt,
  )
  element('shares-section').hidden = shares.length === 0
  showRows(
    element('shares'),
    shares.map((share) => shareRow(share, me)),
    attempt,
  )
}

function serverRow(server, me) {
  const isOwn = server.userId === me.id
  const seen = server.lastSeenAt === null ? 'never seen' : `seen ${new Date(server.lastSeenAt).toLocaleString()}`
  const more = `${server.status}, ${seen}, libraries: ${server.libraryCount}, version ${server.version}`
  const open = { label: 'Open', run: () => openServer(server) }
  const invite = { label: 'Invite', run: () => showInvitation(server) }
  const remove = { label: 'Remove', run: () => change(`/api/v1/me/servers/${server.serverId}`) }
  return {
    name: server.serverName,
    more: isOwn ? more : `shared, ${more}`,
    actions: isOwn ? [open, invite, remove] : [open],
  }
}

/** Opens a server at the first of its own addresses where it proves who it is. */
async function openServer({ serverId, serverName }) {
  const address = await findDirectAddress(await requestJson(`/api/v1/me/servers/${serverId}/access-info`))
  if (address === undefined) throw new Error(`${serverName} cannot be reached directly from here. Apps use the relay.`)
  location.assign(address)
}

function shareRow(share, me) {
  const isGiven = share.user_id !== me.id
  const more = isGiven ? `used by ${share.username}` : `of ${share.owner}`
  return {
    name: share.server_name,
    more,
    actions: [{ label: 'End', run: () => change(`/api/v1/me/shares/${share.id}`) }],
  }
}

async function change(address) {
  await requestJson(address, undefined, { method: 'DELETE' })
  await showHome()
}

async function showInvitation({ serverId, serverName }) {
  const { url } = await requestJson('/api/v1/me/invite-links', { server_id: serverId })
  element('problem').textContent = `Invitation to ${serverName}, valid once and for seven days: ${url}`
}

async function showAdministration() {
  const { data } = await requestJson('/api/v1/admin/dashboard/summary')
  element('summary').textContent =
    `Servers online: ${data.servers.online} of ${data.servers.total}. Tunnels: ${data.active_relay_sessions}. Users: ${data.user_count}.`
  const { servers } = await requestJson('/api/v1/admin/servers')
  showRows(element('all-servers'), servers.map(adminServerRow), attempt)
  const { users } = await requestJson('/api/v1/admin/users')
  showRows(
    element('users'),
    users.map(({ username, email, status, is_admin: isAdmin }) => ({
      name: username,
      more: `${email}, ${status}${isAdmin ? ', administrator' : ''}`,
    })),
    attempt,
  )
  const activity = await requestJson('/api/v1/admin/dashboard/activity')
  showRows(
    element('activity'),
    activity.data.map(({ action, actor, target, created_at: time }) => ({
      name: action,
      more: `${new Date(time).toLocaleString()}: ${actor}, ${target}`,
    })),
    attempt,
  )
}

function adminServerRow({ id, name, owner, status }) {
  const word = status === 'disabled' ? 'enable' : 'disable'
  const run = async () => {
    await requestJson(`/api/v1/admin/servers/${id}/${word}`, {})
    await showHome()
  }
  return { name, more: `of ${owner}, ${status}`, actions: [{ label: word === 'enable' ? 'Enable' : 'Disable', run }] }
}

/** Runs work when a form is sent. */
function onSubmit(id, work) {
  element(id).addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(work)
  })
}

onSubmit('sign-in', async () => {
  await signIn(element('username').value, element('password').value)
  element('password').value = ''
  await showHome()
})

onSubmit('register', async () => {
  const [username, email, password] = ['new-username', 'new-email', 'new-password'].map((id) => element(id).value)
  await register({ username, email, password, invite_code: invitation ?? '' })
  forgetFragment()
  await showHome()
})

onSubmit('claim', async () => {
  await requestJson('/api/v1/server-claims/claim', { claim_code: element('code').value }, { headers: PROTOCOL })
  element('code').value = ''
  forgetFragment()
  await showHome()
})

element('accept').addEventListener('click', () => {
  void attempt(async () => {
    await requestJson('/api/v1/me/invite-links/accept', { code: invitation })
    forgetFragment()
    await showHome()
  })
})

element('sign-out').addEventListener('click', () => {
  signOut()
  element('code').value = ''
  showSignIn()
})

/** A used code or invitation does not stay in the history of the browser. */
function forgetFragment() {
  invitation = null
  history.replaceState(null, '', '/')
}

const reload = () => location.reload()
followOtherTabs({ onSignedIn: reload, onSignedOut: reload, onOtherAccount: reload })

if (isSignedIn()) void attempt(showHome)
else showSignIn()
