/** Pages by Confluence's REST API ({@code /rest/api/content}): a title is there once in a space, and each change names the next version. */
@NullMarked
package dev.flowstone.vendors.confluence;

import org.jspecify.annotations.NullMarked;
