package dev.gannet.http2;

/**
 * Which end of a connection this is. Clients open streams with odd ids, servers open none (push is
 * off).
 */
public enum Role {
  CLIENT,
  SERVER
}
