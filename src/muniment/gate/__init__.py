"""The only way in: mask, bind the receipt, take origin and scope from the event, then admit, propose or refuse."""
