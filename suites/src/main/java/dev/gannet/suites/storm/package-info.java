/**
 * Storms: crowds of random calls between whole clients and servers, over a network that does its
 * worst, with rules that must hold whatever happens. One seed is one storm, always the same.
 *
 * <p>Nothing here may draw from another chance than the seed's, or ask another clock than the
 * loop's.
 */
@NullMarked
package dev.gannet.suites.storm;

import org.jspecify.annotations.NullMarked;
