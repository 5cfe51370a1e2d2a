/** Identifies a supervisor in the process list: the argument after the script and before the data directory. */
export const SUPERVISOR_NAME = 'phlix-keeper'

/**
 * The supervisor of an embedded engine: a POSIX shell that blocks in `read` (dash on Debian: 0.3 MiB; a Node process needs at least
 * 50 MiB). `sh -c SCRIPT phlix-keeper DATA_DIRECTORY FOLDER PROGRAM ARGUMENT...`; FOLDER holds the pipes of supervisor-pipes.ts.
 *
 * - The program (the server, or a wrapper that executes it) starts as a child. With KEEPER it detects that the supervisor died before
 *   the kernel was asked to signal that death.
 * - Each process writes a line when it acquires a lease, and `read` returns end-of-file when the last lease is released. Then the
 *   supervisor waits a second for another lease, if there was one at all.
 * - Before it stops the server it renames the lease pipe, so that it cannot be found any more, and reads once more: a lease that was
 *   acquired before is in the pipe and keeps the engine running (supervisor-pipes.ts checks the name after it has written the line).
 * - The state of the server is read from /proc/PID/stat: a reused pid has another parent.
 * - Signals end the supervisor only while it starts: a service manager signals all processes of a unit, and a daemon that still holds a
 *   lease needs the database for an orderly shutdown.
 * - No child inherits the supervisor's pipes.
 */
export const SUPERVISOR_SCRIPT = `# keeps the embedded database of Phlix while a process uses it
folder=$2
shift 2
exec 4<>"$folder/keeper" 5<>"$folder/server" 9<>"$folder/lease" 3<"$folder/lease" 9>&-
KEEPER=$$ "$@" 3<&- 4>&- &
server=$!
trap '' TERM INT HUP
exec 5>&-
apart() { "$@" 3<&- 4>&-; }
runs() {
  state= parent=
  { read -r _ _ state parent _ <"/proc/$server/stat"; } 2>/dev/null
  [ "$parent" = $$ ] && [ "$state" != Z ]
}
used=
while :; do
  if read -r _ <&3; then used=yes
  elif ! runs; then break
  elif [ "$used" ]; then used=; apart sleep 1
  else
    apart mv "$folder/lease" "$folder/closed"
    read -r _ <&3 || break
    apart mv "$folder/closed" "$folder/lease"
    used=yes
  fi
done
tenths=0
while runs; do
  if [ $tenths -lt 200 ]; then signal=INT; elif [ $tenths -lt 250 ]; then signal=QUIT; else signal=KILL; fi
  kill -$signal $server
  apart sleep 0.1
  tenths=$((tenths + 1))
done
apart rm -rf "$folder"
`

/**
 * First step of the server's process: it exits if the supervisor has already died. The following arguments are then executed as the server.
 */
export const EXIT_WITHOUT_SUPERVISOR = '[ "$PPID" = "$KEEPER" ] && exec "$@"'
