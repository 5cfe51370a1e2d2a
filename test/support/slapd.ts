import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { reachableDirectory } from './directories.ts'
import { freePort } from './free-port.ts'
import { selfSignedLoopback } from './self-signed.ts'
import { waitUntil } from './wait-until.ts'

const SLAPD = '/usr/sbin/slapd'

/** The reason to skip a test that needs the LDAP server of Debian; false if it is installed. */
export const unlessSlapd: string | false = existsSync(SLAPD) ? false : 'slapd is not on this machine'

const SUFFIX = 'dc=example,dc=test'

export const SEARCHER = { dn: `cn=searcher,${SUFFIX}`, password: 'password of the searcher' }
export const BASE_DN = `ou=people,${SUFFIX}`
export const ADMIN_GROUP = `cn=admins,${SUFFIX}`
/** A group as Unix has them, with the uid of ada. */
export const POSIX_GROUP = `cn=unix,${SUFFIX}`

/** Names of persons with their passwords. */
export const PASSWORDS = { ada: 'password of ada', bob: 'password of bob', 'x*)(uid=ada': 'password of x' } as const

export type TestDirectory = {
  /** Without TLS, on this machine. */
  url: string
  tlsUrl: string
  /** File with the certificate that signs that of the directory. */
  caFile: string
  /** Ends the server. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Replaces the members of the group of administrators. */
  setAdmins(names: readonly string[]): Promise<void>
}

/** The LDAP server of Debian with some persons, on free ports of the loopback interface. */
export async function startSlapd(t: Test): Promise<TestDirectory> {
  const folder = reachableDirectory(t)
  const [port, tlsPort] = [await freePort(), await freePort()]
  const [url, tlsUrl] = [`ldap://127.0.0.1:${port}`, `ldaps://127.0.0.1:${tlsPort}`]
  const paths = {
    config: join(folder, 'slapd.conf'),
    data: join(folder, 'data'),
    key: join(folder, 'key.pem'),
    cert: join(folder, 'cert.pem'),
    ldif: join(folder, 'people.ldif'),
  }
  await mkdir(paths.data)
  await writeFile(paths.key, selfSignedLoopback.key)
  await writeFile(paths.cert, selfSignedLoopback.cert)
  await writeFile(paths.config, configurationOf(folder, paths))
  let admins: readonly string[] = ['ada']
  const fill = async (): Promise<void> => {
    await writeFile(paths.ldif, entriesOf(admins))
    await promisify(execFile)(SLAPD, ['-Ta', '-f', paths.config, '-l', paths.ldif])
  }
  await fill()
  let running: ReturnType<typeof spawn> | undefined
  const directory: TestDirectory = {
    url,
    tlsUrl,
    caFile: paths.cert,
    async start() {
      running = spawn(SLAPD, ['-d', '0', '-h', `${url} ${tlsUrl}`, '-f', paths.config], { stdio: 'ignore' })
      await waitUntil('slapd listens', () => answers(port))
    },
    async stop() {
      if (running === undefined) return
      const ended = once(running, 'exit')
      running.kill('SIGTERM')
      running = undefined
      await ended
    },
    async setAdmins(names) {
      admins = names
      const { Client, Change, Attribute } = await import('ldapts')
      const client = new Client({ url })
      await client.bind(`cn=root,${SUFFIX}`, 'root')
      const values = [...names.map((name) => `uid=${name},${BASE_DN}`), SEARCHER.dn]
      const modification = new Attribute({ type: 'member', values })
      await client.modify(ADMIN_GROUP, new Change({ operation: 'replace', modification }))
      await client.unbind()
    },
  }
  await directory.start()
  t.teardown(() => directory.stop())
  return directory
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function configurationOf(folder: string, paths: { data: string; key: string; cert: string }): string {
  const schemas = ['core', 'cosine', 'nis', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`)
  return `${schemas.join('\n')}
modulepath /usr/lib/ldap
moduleload back_mdb.la
pidfile ${join(folder, 'slapd.pid')}
TLSCertificateFile ${paths.cert}
TLSCertificateKeyFile ${paths.key}
TLSVerifyClient never
database mdb
maxsize 10485760
suffix "${SUFFIX}"
rootdn "cn=root,${SUFFIX}"
rootpw root
directory ${paths.data}
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${SEARCHER.dn}" read by * none
`
}

function entriesOf(admins: readonly string[]): string {
  const people = Object.entries(PASSWORDS).map(
    ([name, password]) => `dn: uid=${name},${BASE_DN}
objectClass: inetOrgPerson
uid: ${name}
cn: ${name}
sn: ${name}
mail: ${name.replaceAll(/\W/g, '')}@example.test
userPassword: ${password}`,
  )
  return [
    `dn: ${SUFFIX}\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example`,
    `dn: ${BASE_DN}\nobjectClass: organizationalUnit\nou: people`,
    `dn: ${SEARCHER.dn}\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\ncn: searcher\nuserPassword: ${SEARCHER.password}`,
    ...people,
    `dn: ${ADMIN_GROUP}\nobjectClass: groupOfNames\ncn: admins\n${admins.map((name) => `member: uid=${name},${BASE_DN}`).join('\n')}\nmember: ${SEARCHER.dn}`,
    `dn: ${POSIX_GROUP}\nobjectClass: posixGroup\ncn: unix\ngidNumber: 1000\nmemberUid: ada`,
    '',
  ].join('\n\n')
}
