/** The embedded server as users meet it: started, killed, copied, refused. */
@NullMarked
package dev.flowstone.postgres.embedded;

import org.jspecify.annotations.NullMarked;
