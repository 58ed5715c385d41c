/**
 * JSON as data: immutable values, one strict parser, one canonical writer. Every byte of JSON that Flowstone reads,
 * stores or hashes goes through here, so that there is one answer to "is this valid" and one to "what is its hash".
 */
@NullMarked
package dev.flowstone.kernel.json;

import org.jspecify.annotations.NullMarked;
