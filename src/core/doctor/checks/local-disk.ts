import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { DoctorCheck } from '../doctor-context.ts'
import { okResult, warningResult } from '../finding.ts'
import { findNearestFolder } from '../nearest-folder.ts'

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

export const localDiskCheck: DoctorCheck = {
  id: 'local-disk',
  async run({ config: { dataDirectory }, phlix }) {
    const type = (await statfs(findNearestFolder(dataDirectory))).type
    const name = REMOTE[type]
    if (name === undefined) return okResult('the data directory is on a local disk')
    const local = freeFolder('/var/lib/phlix')
    const archives = `${local}/backups`
    const commands = [
      phlix(`backup:create --to ${archives} --quiet`),
      `phlix backup:restore "$(ls ${archives}/phlix-*.tar)" --data-dir ${local}`,
      `export PHLIX_DATA_DIR=${local}`,
    ]
    return [
      warningResult(
        `the data directory is on ${name}, where the database can be damaged; to move the data directory, stop the server first`,
        commands.join(' && '),
      ),
    ]
  },
}

/** The first of `path`, `path-local`, `path-local-local` … that does not exist, so that the move overwrites nothing. */
function freeFolder(path: string): string {
  return existsSync(path) ? freeFolder(`${path}-local`) : path
}
