/**
 * One Flowstone server, as a program elsewhere sees it: a call gets an answer, a refusal, or nothing; never an exception for
 * what the network does.
 */
@NullMarked
package dev.flowstone.sdk.http;

import org.jspecify.annotations.NullMarked;
