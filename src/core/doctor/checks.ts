import { backupAgeCheck } from './checks/backup-age.ts'
import { backupBucketCheck } from './checks/backup-bucket.ts'
import { backupFolderCheck } from './checks/backup-folder.ts'
import { clockCheck } from './checks/clock.ts'
import { configFileCheck } from './checks/config-file.ts'
import { databaseCheck } from './checks/database.ts'
import { dataModeCheck } from './checks/data-mode.ts'
import { diskCheck, inodesCheck } from './checks/disk.ts'
import { emptyRootsCheck } from './checks/empty-roots.ts'
import { encodersCheck } from './checks/encoders.ts'
import { engineFilesCheck } from './checks/engine-files.ts'
import { extensionsCheck } from './checks/extensions.ts'
import { ffmpegCheck } from './checks/ffmpeg.ts'
import { indexesCheck } from './checks/indexes.ts'
import { keysCheck } from './checks/keys.ts'
import { ldapCheck } from './checks/ldap.ts'
import { localDiskCheck } from './checks/local-disk.ts'
import { migrationsCheck } from './checks/migrations.ts'
import { nodeCheck } from './checks/node.ts'
import { oidcCheck } from './checks/oidc.ts'
import { openFilesCheck } from './checks/open-files.ts'
import { fileOwnersCheck } from './checks/file-owners.ts'
import { portForwardingCheck } from './checks/port-forwarding.ts'
import { pluginsCheck } from './checks/plugins.ts'
import { portsCheck } from './checks/ports.ts'
import { proxiesCheck } from './checks/trusted-proxies.ts'
import { accountLimitsCheck } from './checks/account-limits.ts'
import { rescueAccountCheck } from './checks/rescue-account.ts'
import { rootsCheck } from './checks/library-roots.ts'
import { secondDaemonCheck } from './checks/second-daemon.ts'
import { secretCheck } from './checks/secret.ts'
import { slowQueriesCheck } from './checks/slow-queries.ts'
import { staleJobsCheck } from './checks/stale-jobs.ts'
import { timeZoneCheck } from './checks/time-zone.ts'
import { tlsCheck } from './checks/tls.ts'
import { unreadableCheck } from './checks/unreadable-media.ts'
import type { DoctorCheck } from './doctor-context.ts'

/** All checks, in the order of the report. The slow one is first, because four run at a time. */
export const CHECKS: readonly DoctorCheck[] = [
  encodersCheck,
  nodeCheck,
  ffmpegCheck,
  engineFilesCheck,
  databaseCheck,
  extensionsCheck,
  migrationsCheck,
  indexesCheck,
  slowQueriesCheck,
  diskCheck,
  inodesCheck,
  dataModeCheck,
  fileOwnersCheck,
  configFileCheck,
  localDiskCheck,
  keysCheck,
  secretCheck,
  rootsCheck,
  emptyRootsCheck,
  unreadableCheck,
  clockCheck,
  timeZoneCheck,
  portsCheck,
  tlsCheck,
  proxiesCheck,
  portForwardingCheck,
  oidcCheck,
  ldapCheck,
  rescueAccountCheck,
  accountLimitsCheck,
  secondDaemonCheck,
  staleJobsCheck,
  pluginsCheck,
  openFilesCheck,
  backupAgeCheck,
  backupFolderCheck,
  backupBucketCheck,
]

export const CHECK_IDS: readonly string[] = CHECKS.map(({ id }) => id)
