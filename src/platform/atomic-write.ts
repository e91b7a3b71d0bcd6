/** Replaces a file so that there is the old content or the new one at every moment, never a part. */
import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, lstat, mkdir, open, readFile, realpath, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserError } from "./errors.js";
import { errorCode, isInside, realpathDeepest } from "./paths.js";

export interface AtomicWriteOptions {
  /** Where the file must really lie, links followed; anything else is refused before it is touched. */
  root?: string;
}

/**
 * Writes a temporary file beside the target, syncs it and renames it over the target; links are followed to their target. Mode and owner are
 * kept. A file with several hard links, or whose owner cannot be kept, is written in place behind a backup. Missing folders are made.
 * @param path absolute
 * @throws UserError `write-outside`, `write-not-a-file`, `write-protected`, `write-torn`, `path-unresolved`; system errors (disk full …) as they are
 */
export async function atomicWrite(path: string, content: Uint8Array, options: AtomicWriteOptions = {}): Promise<void> {
  const target = await realpathDeepest(path);
  if (options.root !== undefined && !isInside(await realpathDeepest(options.root), target)) {
    throw new UserError(
      "write-outside",
      `"${path}" leads outside "${options.root}" through a link; it was not written.`,
    );
  }
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  // Somebody may have put a link into the way since the target was looked up.
  if ((await realpath(folder)) !== folder) {
    throw new UserError("write-outside", `"${folder}" was replaced by a link meanwhile; nothing was written.`);
  }
  const before = await statOf(target);
  if (before) await mustBeWritable(target, before);
  const temporary = join(folder, `.ttsr-${randomUUID()}.tmp`);
  const file = await open(temporary, "wx", before ? 0o600 : 0o666);
  let keepsIdentity = before === undefined || before.nlink === 1;
  try {
    keepsIdentity &&= !before || (await takeOver(file, before));
    if (before) await file.chmod(before.mode & 0o7777);
    await file.writeFile(keepsIdentity ? content : await readFile(target));
    await file.sync();
    await file.close();
    if (keepsIdentity) {
      await rename(temporary, target);
      return;
    }
  } catch (error) {
    await file.close();
    await unlink(temporary);
    throw error;
  }
  // From here on the temporary file is the backup: it goes away only when the new content is safe on disk.
  try {
    await overwrite(target, content);
  } catch (error) {
    throw new UserError("write-torn", `Writing "${target}" broke off; its old content is in "${temporary}".`, 1, {
      cause: error,
    });
  }
  await unlink(temporary);
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function mustBeWritable(path: string, stats: Stats): Promise<void> {
  if (!stats.isFile()) throw new UserError("write-not-a-file", `"${path}" is not a regular file; it was not written.`);
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw new UserError("write-protected", `"${path}" is write-protected; it was left as it is.`, 1, { cause: error });
  }
}

/** @returns false where the new file cannot get the owner of the old one */
async function takeOver(file: FileHandle, before: Stats): Promise<boolean> {
  const now = await file.stat();
  if (now.uid === before.uid && now.gid === before.gid) return true;
  try {
    await file.chown(before.uid, before.gid);
    return true;
  } catch (error) {
    if (errorCode(error) === "EPERM") return false;
    throw error;
  }
}

async function overwrite(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    await file.writeFile(content);
    await file.truncate(content.length);
    await file.sync();
  } finally {
    await file.close();
  }
}
