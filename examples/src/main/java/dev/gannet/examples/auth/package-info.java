/**
 * Authentication: a client that sends a token, a server that finds the user, a handler that asks
 * for the user.
 */
@NullMarked
package dev.gannet.examples.auth;

import org.jspecify.annotations.NullMarked;
