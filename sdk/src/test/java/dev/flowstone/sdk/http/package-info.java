/** What the network and servers may do to a call. */
@NullMarked
package dev.flowstone.sdk.http;

import org.jspecify.annotations.NullMarked;
