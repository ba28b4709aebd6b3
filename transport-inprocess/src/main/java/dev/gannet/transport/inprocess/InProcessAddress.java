package dev.gannet.transport.inprocess;

import java.net.SocketAddress;
import java.util.Objects;

/**
 * The address of a server within this process, for {@code Server.builder(address)} and {@code
 * ManagedChannel.builder(address)}. Immutable.
 *
 * <p>Addresses with the same name are equal. An anonymous address is only equal to itself: clients
 * of the server need the same object. An address has one server at a time, per class loader that
 * has loaded this class.
 */
public final class InProcessAddress extends SocketAddress {
  private static final long serialVersionUID = 1L;

  private static final String SCHEME = "inprocess:";

  /** Empty for anonymous addresses. */
  private final String name;

  private InProcessAddress(String name) {
    this.name = name;
  }

  /**
   * The address with this name.
   *
   * @throws IllegalArgumentException if the name is empty
   */
  public static InProcessAddress of(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an in-process address needs a name, or is anonymous()");
    }
    return new InProcessAddress(name);
  }

  /** An address that is different from all others. */
  public static InProcessAddress anonymous() {
    return new InProcessAddress("");
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || (other instanceof InProcessAddress address
            && !name.isEmpty()
            && name.equals(address.name));
  }

  @Override
  public int hashCode() {
    return name.isEmpty() ? System.identityHashCode(this) : Objects.hashCode(name);
  }

  /** {@code inprocess:} and the name, or {@code inprocess:anonymous@} and a number. */
  @Override
  public String toString() {
    return SCHEME + (name.isEmpty() ? "anonymous@" + Integer.toHexString(hashCode()) : name);
  }
}
