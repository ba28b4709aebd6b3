package dev.gannet.suites;

import java.util.Optional;

/** Lets the n-th operation that can fail do so, and no other. */
final class NthFault implements Faults {
  private final int number;
  private int counted;
  private Optional<Operation> struck = Optional.empty();

  /** Operations count from 1; 0 stands for none. */
  NthFault(int number) {
    this.number = number;
  }

  @Override
  public boolean strike(Operation operation) {
    counted++;
    if (counted != number) {
      return false;
    }
    struck = Optional.of(operation);
    return true;
  }

  /** What failed, if it has come to that. */
  Optional<Operation> struck() {
    return struck;
  }

  @Override
  public String toString() {
    return struck.map(Operation::toString).orElse("nothing") + " failed as number " + number;
  }
}
