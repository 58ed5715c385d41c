/** What the API's document says of each route, by area. A route's declaration names its constant here. */
@NullMarked
package dev.flowstone.server.api.doc;

import org.jspecify.annotations.NullMarked;
