/**
 * One Flowstone server, as a program elsewhere sees it: a call gets an answer, a refusal, or nothing; never an exception for
 * what the network does. {@link dev.flowstone.sdk.http.Wire} carries bytes within bounds; what they mean is for workers
 * {@link dev.flowstone.sdk.http.Server}'s to say.
 */
@NullMarked
package dev.flowstone.sdk.http;

import org.jspecify.annotations.NullMarked;
