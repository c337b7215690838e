// A disk of its own for an installation: a file with a file system, mounted as a loop device, so that it can be filled and slowed down without
// harming the machine. Only root can mount it; without it, the log says that faults of the disk struck nothing.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atEndOfFile } from '../support/cleanup.ts'
import { makeDirectory } from '../support/harness.ts'
import { fillUp } from '../support/small-disk.ts'

export interface Disk {
  readonly path: string
  /** Nothing more can be written after it; what it answers makes room again. Undefined if the machine allows no mount. */
  readonly fill: (() => Promise<() => Promise<void>>) | undefined
  /** Reads and writes of these processes share so many bytes a second; what it answers ends that. Undefined if the machine cannot do it. */
  readonly slow: ((pids: readonly number[], bytesPerSecond: number) => () => void) | undefined
}

const MEGABYTES = 6000
/** The last bytes are really written. */
const LEFT_BYTES = 8 * 1024 * 1024
const GROUPS = '/sys/fs/cgroup/blkio'

export function makeDisk(): Disk {
  const folder = makeDirectory()
  const [image, path] = [join(folder, 'disk'), join(folder, 'mounted')]
  mkdirSync(path, { mode: 0o755 })
  writeFileSync(image, '')
  truncateSync(image, MEGABYTES * 1024 * 1024)
  const isMade = run('mkfs.ext4', ['-q', '-m', '0', image]) && run('mount', ['-o', 'loop', image, path])
  if (!isMade) {
    rmSync(image)
    return { path, fill: undefined, slow: undefined }
  }
  atEndOfFile(() => run('umount', ['--lazy', path]))
  const device = statSync(path).dev
  const slow = (pids: readonly number[], bytes: number): (() => void) =>
    throttle(`${device >> 8}:${device & 255}`, pids, bytes)
  const isThrottled = existsSync(join(GROUPS, 'blkio.throttle.write_bps_device'))
  return { path, fill: () => fill(path), slow: isThrottled ? slow : undefined }
}

/** Most of the room is taken at once, without writing it. */
async function fill(path: string): Promise<() => Promise<void>> {
  const { bavail, bsize } = statfsSync(path)
  const most = join(path, 'most')
  run('fallocate', ['--length', String(Math.max(1, bavail * bsize - LEFT_BYTES)), most])
  const release = await fillUp(join(path, 'ballast'))
  return async () => {
    rmSync(most, { force: true })
    await release()
  }
}

const run = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0

let groups = 0

/** Moves the processes into a control group with a limit, and back to the root group at the end; their children follow. */
function throttle(device: string, pids: readonly number[], bytes: number): () => void {
  const group = join(GROUPS, `tributary-faults-${process.pid}-${++groups}`)
  mkdirSync(group)
  for (const kind of ['read', 'write'])
    writeFileSync(join(group, `blkio.throttle.${kind}_bps_device`), `${device} ${bytes}`)
  for (const pid of pids) move(pid, group)
  return () => {
    for (const kind of ['read', 'write']) writeFileSync(join(group, `blkio.throttle.${kind}_bps_device`), `${device} 0`)
    const left = spawnSync('cat', [join(group, 'cgroup.procs')])
      .stdout.toString()
      .split('\n')
      .filter(Boolean)
    for (const pid of left) move(Number(pid), GROUPS)
    try {
      rmdirSync(group)
    } catch {
      // A process was just forked into it; an empty group does no harm.
    }
  }
}

function move(pid: number, group: string): void {
  try {
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
  } catch {
    // It has ended.
  }
}
