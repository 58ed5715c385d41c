/** Tests of the streams of events. */
@NullMarked
package dev.flowstone.server.stream;

import org.jspecify.annotations.NullMarked;
