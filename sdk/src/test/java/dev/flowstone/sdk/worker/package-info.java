/** The worker against a server of paper: what it says, and what it makes of answers, silence and nonsense. */
@NullMarked
package dev.flowstone.sdk.worker;

import org.jspecify.annotations.NullMarked;
