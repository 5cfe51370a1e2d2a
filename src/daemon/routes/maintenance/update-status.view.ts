import type { ReleaseStatus } from '../../../core/maintenance/index.ts'

/**
 * The keys of existing clients; `lastCheckedAt` in seconds. The command installs a file that the administrator has got: a command for root takes
 * nothing from the registry by its name alone. How the server was installed is not known here; docs/install.md has the other ways.
 */
export function updateStatusView(status: ReleaseStatus) {
  const { currentVersion, latestVersion, isUpdateAvailable, isCheckEnabled, checkedAt, error } = status
  return {
    currentVersion,
    latestVersion,
    updateAvailable: isUpdateAvailable,
    checkEnabled: isCheckEnabled,
    lastCheckedAt: checkedAt === null ? null : Math.floor(checkedAt.getTime() / 1000),
    lastError: error,
    updateCommand: isUpdateAvailable ? `npm install --global ./phlix-${latestVersion}.tgz` : '',
  }
}
