import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { verifyLdapPassword } from '../../../src/core/ldap/verify-ldap-password.ts'
import { createLdapProvider, inspectLdapDirectory, readLdapOptions } from '../../../src/core/ldap/index.ts'
import { openLdapConnection } from '../../../src/core/ldap/open-ldap-connection.ts'
import { loadConfig, type OptionPath } from '../../../src/core/platform/config/index.ts'
import { ADMIN_GROUP, BASE_DN, PASSWORDS, POSIX_GROUP, SEARCHER, startSlapd, unlessSlapd } from '../../support/slapd.ts'
import { waitUntil } from '../../support/wait-until.ts'

type Flags = Partial<Record<OptionPath, string>>

const configOf = (flags: Flags) =>
  loadConfig({
    dataDirectory: '/nonexistent/phlix',
    environment: {},
    flags: {
      'auth.ldap.base_dn': BASE_DN,
      'auth.ldap.bind_dn': SEARCHER.dn,
      'auth.ldap.bind_password': SEARCHER.password,
      ...flags,
    },
  })

const optionsOf = (flags: Flags) => readLdapOptions(configOf(flags))!

if (unlessSlapd !== false) t.plan(0, unlessSlapd)
else {
  const directory = await startSlapd(t)
  const options = optionsOf({ 'auth.ldap.url': directory.url, 'auth.ldap.admin_group': ADMIN_GROUP })

  await t.test('the right password of a person is accepted, and no other', async (t) => {
    const found = await verifyLdapPassword(options, { username: 'ada', password: PASSWORDS.ada })
    t.match(found, { username: 'ada', email: 'ada@example.test', subject: /^[\da-f]{8}-/, is_administrator: true })
    const byMail = await verifyLdapPassword(options, { username: 'ada@example.test', password: PASSWORDS.ada })
    t.strictSame(byMail, found)
    t.match(await verifyLdapPassword(options, { username: 'bob', password: PASSWORDS.bob }), {
      is_administrator: false,
    })
    for (const [username, password] of [
      ['ada', PASSWORDS.bob],
      ['ada', `${PASSWORDS.ada} `],
      ['ada', '\0'],
      ['nobody', PASSWORDS.ada],
      ['searcher', SEARCHER.password],
    ] as const) {
      t.equal(await verifyLdapPassword(options, { username, password }), undefined, username)
    }
  })

  await t.test('an empty password is refused without a question', async (t) => {
    const nowhere = { ...options, url: 'ldap://127.0.0.1:1' }
    t.equal(await verifyLdapPassword(nowhere, { username: 'ada', password: '' }), undefined)
    t.equal(await verifyLdapPassword(options, { username: 'ada', password: '' }), undefined)
  })

  await t.test('a name is searched as it is, whatever characters it has', async (t) => {
    const name = 'x*)(uid=ada'
    t.match(await verifyLdapPassword(options, { username: name, password: PASSWORDS[name] }), { username: name })
    for (const username of [
      '*',
      'a*',
      'ad?',
      'ada)(|(uid=*',
      '*)(objectClass=*',
      'ada\\2a',
      'a\\64a',
      '(uid=ada)',
      'ada\0',
      '\0',
    ]) {
      t.equal(await verifyLdapPassword(options, { username, password: PASSWORDS.ada }), undefined, username)
    }
  })

  await t.test('a filter that finds several persons finds none', async (t) => {
    const wide = { ...options, userFilter: '(|(uid={username})(objectClass=inetOrgPerson))' }
    t.equal(await verifyLdapPassword(wide, { username: 'ada', password: PASSWORDS.ada }), undefined)
  })

  await t.test('the group decides at each question, and a missing group has no members', async (t) => {
    await directory.setAdmins(['bob'])
    const ask = (changes: object) =>
      verifyLdapPassword({ ...options, ...changes }, { username: 'ada', password: PASSWORDS.ada })
    t.match(await ask({}), { is_administrator: false })
    await directory.setAdmins(['ada', 'bob'])
    t.match(await ask({}), { is_administrator: true })
    t.match(await ask({ adminGroup: 'cn=none,dc=example,dc=test' }), { is_administrator: false })
    t.notOk('is_administrator' in ((await ask({ adminGroup: undefined })) ?? {}))
  })

  await t.test('a group of Unix names its members by uid, whatever attribute has the name', async (t) => {
    const unix = { ...options, adminGroup: POSIX_GROUP, usernameAttribute: 'mail' }
    for (const [username, isMember] of [
      ['ada', true],
      ['bob', false],
      ['x*)(uid=ada', false],
    ] as const) {
      const found = await verifyLdapPassword(unix, { username, password: PASSWORDS[username] })
      t.match(found, { is_administrator: isMember }, username)
    }
  })

  await t.test('a name that nobody has costs the directory as many questions as one that somebody has', async (t) => {
    const proxy = await startProxy(t, Number(new URL(directory.url).port))
    const counted = { ...options, url: `ldap://127.0.0.1:${proxy.port}` }
    const questions = async (username: string) => {
      const before = proxy.received.length
      t.equal(await verifyLdapPassword(counted, { username, password: 'wrong' }), undefined)
      return proxy.received.length - before
    }
    const [known, unknown] = [await questions('ada'), await questions('nobody')]
    t.equal(known, 4, 'the account that searches, the person, the group, the password')
    t.equal(unknown, known)
  })

  await t.test('TLS and StartTLS need a certificate that the configuration knows', async (t) => {
    const question = { username: 'ada', password: PASSWORDS.ada }
    for (const flags of [
      { 'auth.ldap.url': directory.tlsUrl },
      { 'auth.ldap.url': directory.url, 'auth.ldap.start_tls': 'true' },
    ]) {
      const known = optionsOf({ ...flags, 'auth.ldap.ca_file': directory.caFile })
      t.match(await verifyLdapPassword(known, question), { username: 'ada' }, flags['auth.ldap.url'])
      await t.rejects(verifyLdapPassword(optionsOf(flags), question), /self-signed certificate/)
    }
  })

  await t.test('a lost connection is an outage: nothing is asked on another one', async (t) => {
    const proxy = await startProxy(t, Number(new URL(directory.url).port))
    const { client, end } = await openLdapConnection(optionsOf({ 'auth.ldap.url': `ldap://127.0.0.1:${proxy.port}` }))
    t.teardown(end)
    await client.bind(SEARCHER.dn, SEARCHER.password)
    proxy.dropConnections()
    await waitUntil('the client knows that', async () => !client.isConnected)
    const before = proxy.received.length
    await t.rejects(client.bind(`uid=ada,${BASE_DN}`, PASSWORDS.ada), /closed the connection/)
    t.equal(proxy.received.length, before)
  })

  await t.test(
    'a directory that does not accept the searching account, does not answer or is not there is an outage',
    async (t) => {
      const silent = createServer(() => undefined).listen(0, '127.0.0.1')
      t.teardown(() => silent.close())
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo
      for (const flags of [
        { 'auth.ldap.url': directory.url, 'auth.ldap.bind_password': 'wrong' },
        { 'auth.ldap.url': 'ldap://127.0.0.1:1' },
        { 'auth.ldap.url': `ldap://127.0.0.1:${port}` },
        { 'auth.ldap.url': directory.url, 'auth.ldap.base_dn': 'dc=other' },
      ]) {
        const provider = createLdapProvider({ config: configOf(flags) })
        const question = { username: 'ada', password: PASSWORDS.ada }
        await t.rejects(provider!.ask('checkPassword', question), { code: 'ldap_unavailable' }, JSON.stringify(flags))
        t.match(await inspectLdapDirectory({ config: configOf(flags) }), { problem: /./ })
      }
      t.match(await inspectLdapDirectory({ config: configOf({ 'auth.ldap.url': directory.url }) }), { problem: null })
    },
  )
}

/** Passes bytes on, and keeps what clients have sent. */
async function startProxy(t: Test, targetPort: number) {
  const received: Buffer[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer((incoming) => {
    const target = connect(targetPort, '127.0.0.1')
    for (const socket of [incoming, target]) sockets.add(socket.on('error', () => undefined))
    incoming.on('data', (bytes) => {
      received.push(bytes)
      target.write(bytes)
    })
    target.on('data', (bytes) => incoming.write(bytes))
  })
  const dropConnections = (): void => sockets.forEach((socket) => socket.destroy())
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => {
    dropConnections()
    proxy.close()
  })
  return { port: (proxy.address() as AddressInfo).port, received, dropConnections }
}
