package dev.gannet.http2.connection;

import java.util.Random;

/** How the peer's bytes are cut on their way to the connection: no outcome may depend on it. */
enum Feeding {
  WHOLE {
    @Override
    int next(int left, Random random) {
      return left;
    }
  },
  BYTE_BY_BYTE {
    @Override
    int next(int left, Random random) {
      return 1;
    }
  },
  RANDOM_SPLITS {
    @Override
    int next(int left, Random random) {
      return 1 + random.nextInt(Math.min(left, 1 + random.nextInt(40)));
    }
  };

  /** How many of the bytes that are left arrive together. */
  abstract int next(int left, Random random);
}
