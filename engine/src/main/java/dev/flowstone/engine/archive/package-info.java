/**
 * Cold months as files: runs that are over leave the database, verified, and can be verified for ever after from the file
 * alone. A month's way, each step of which may be the last without a loss:
 *
 * <pre>
 * stage ──▶ write FILE.part ──▶ read it again ──▶ name it FILE ──▶ replace the partition
 * quiet      heads, entries,     every chain, as    fsync           one transaction, refused if
 * runs       what they refer to  in the database                    any of its runs has moved
 * </pre>
 *
 * <p>{@link dev.flowstone.engine.archive.Disk} is all that is asked of the disk.
 */
@NullMarked
package dev.flowstone.engine.archive;

import org.jspecify.annotations.NullMarked;
