package dev.gannet.http2;

/**
 * Which end of a connection this is. Clients open streams with odd ids; servers open none, because
 * push is disabled.
 */
public enum Role {
  CLIENT,
  SERVER
}
