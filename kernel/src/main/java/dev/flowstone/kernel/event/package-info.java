/**
 * What happened, for ever. A released event version and its meaning never change; a new need is a new kind or a new
 * version. Events of one decision share a header and are stored together, in one frame each; the hash chain covers the
 * stored bytes.
 */
@NullMarked
package dev.flowstone.kernel.event;

import org.jspecify.annotations.NullMarked;
