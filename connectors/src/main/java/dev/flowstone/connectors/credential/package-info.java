/** Where the credentials of connectors come from: the environment, or a folder of files (dataflow.md §12.5.2). */
@NullMarked
package dev.flowstone.connectors.credential;

import org.jspecify.annotations.NullMarked;
