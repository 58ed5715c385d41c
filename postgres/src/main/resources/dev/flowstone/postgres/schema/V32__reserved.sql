-- Another change of this release takes this number.
SELECT 1;
