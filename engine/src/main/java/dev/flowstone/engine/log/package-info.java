/** What a thread works on, for whoever writes its log. */
@NullMarked
package dev.flowstone.engine.log;

import org.jspecify.annotations.NullMarked;
