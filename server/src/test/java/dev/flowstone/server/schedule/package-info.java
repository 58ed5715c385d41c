/** The server dies, again and again, and the database with it; what was acknowledged stays true. */
@NullMarked
package dev.flowstone.server.schedule;

import org.jspecify.annotations.NullMarked;
