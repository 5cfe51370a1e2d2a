import { statfs } from 'node:fs/promises'
import type { Check } from '../doctor-context.ts'
import { ok, warning } from '../finding.ts'
import { nearestFolder } from '../nearest-folder.ts'
import { shellQuote } from '../shell-quote.ts'

/** File system types of statfs(2) whose locks and writes are not reliable enough for a database. */
const REMOTE: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xfe534d42: 'SMB',
  0xff534d42: 'CIFS',
  0x65735546: 'FUSE',
  0x01021997: '9P',
  0x00c36400: 'Ceph',
}

export const localDiskCheck: Check = {
  id: 'local-disk',
  async run({ config: { dataDirectory } }) {
    const type = (await statfs(nearestFolder(dataDirectory))).type
    const name = REMOTE[type]
    if (name === undefined) return ok('the data directory is on a local disk')
    const local = '/var/lib/phlix'
    return [
      warning(
        `the data directory is on ${name}, where the database can be damaged`,
        `cp -a ${shellQuote(dataDirectory)} ${local} && export PHLIX_DATA_DIR=${local}`,
      ),
    ]
  },
}
