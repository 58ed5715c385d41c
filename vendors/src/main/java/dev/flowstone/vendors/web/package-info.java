/** One call to a vendor: with the token, the headers of dataflow.md §12.5.3, a deadline; its answer is JSON, or a failure with its class. */
@NullMarked
package dev.flowstone.vendors.web;

import org.jspecify.annotations.NullMarked;
