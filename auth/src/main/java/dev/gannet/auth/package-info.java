/**
 * OAuth2 and other token services, by google-auth-library.
 *
 * <p>What does not belong here: fixed tokens and tokens in files, which {@code
 * dev.gannet.api.CallCredentials} has, and the choice of a token service.
 */
@NullMarked
package dev.gannet.auth;

import org.jspecify.annotations.NullMarked;
