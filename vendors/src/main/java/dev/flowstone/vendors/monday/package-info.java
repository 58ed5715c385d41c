/** Monday's GraphQL: one address, answers are 200 with {@code errors}, columns are known by ids and called by titles. */
@NullMarked
package dev.flowstone.vendors.monday;

import org.jspecify.annotations.NullMarked;
